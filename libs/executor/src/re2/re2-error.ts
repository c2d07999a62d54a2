/** A pattern that Go's `regexp` refuses; the message says why. Never leaves this folder. */
export class Re2Error extends Error {
  override readonly name = 'Re2Error';
}
