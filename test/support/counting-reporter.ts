import Mocha from 'mocha';

/** Mocha's usual report, and at its end one plain line `N passed, N failed` for whoever reads the run by machine. */
export default class CountingReporter extends Mocha.reporters.Spec {
  override epilogue(): void {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    Mocha.reporters.Base.consoleLog(
      `${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`,
    );
  }
}
