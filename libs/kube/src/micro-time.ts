/**
 * A moment as Kubernetes wants it in a Lease or an Event: RFC 3339 in UTC with exactly six fractional digits. With three,
 * as `Date` prints them, the API server refuses the whole object with 400.
 *
 * @param wallMs - milliseconds since 1970; fractions become microseconds.
 * @see k8s.io/apimachinery, pkg/apis/meta/v1/micro_time.go, `RFC3339Micro`.
 */
export function microTime(wallMs: number): string {
  const micros = Math.floor((wallMs - Math.floor(wallMs)) * 1000);
  return new Date(wallMs).toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`);
}
