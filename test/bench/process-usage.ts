import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What the kernel says of a process (Linux: /proc). */
export interface Usage {
  /** User and system time since its start, in seconds; counted in hundredths. */
  readonly cpuS: number;
  readonly rssMiB: number;
  /** The highest resident set since its start. */
  readonly peakRssMiB: number;
  /** Resident memory that it shares with no other process. */
  readonly privateMiB: number;
}

/**
 * Looks at a running process.
 *
 * @throws {Error} if there is no such process.
 */
export function usageOf(pid: number): Usage {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return {
    cpuS: cpuSecondsOf(pid),
    rssMiB: mebibytes(status, 'VmRSS'),
    peakRssMiB: mebibytes(status, 'VmHWM'),
    privateMiB: mebibytes(rollup, 'Private_Clean') + mebibytes(rollup, 'Private_Dirty'),
  };
}

/** User and system time of a process since its start, in seconds: cheaper to ask than everything. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses and may hold blanks; utime and stime are fields 14 and 15 (proc(5)).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** USER_HZ: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** How many TCP connections of the process to `port` are established. */
export function connectionsOf(pid: number, port: number): number {
  const remote = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const sockets = socketsOf(pid);
  const tables = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n'),
  );
  return tables.filter((line) => {
    const [, , to = '', state, , , , , , inode = ''] = line.trim().split(/\s+/);
    return to.endsWith(remote) && state === ESTABLISHED && sockets.has(inode);
  }).length;
}

/** The inodes of the sockets that the process holds. */
function socketsOf(pid: number): ReadonlySet<string> {
  const files = readdirSync(`/proc/${pid}/fd`);
  return new Set(files.flatMap((file) => inodeOf(`/proc/${pid}/fd/${file}`)));
}

function inodeOf(file: string): string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(file)) ?? [];
    return inode === undefined ? [] : [inode];
  } catch {
    return []; // Closed meanwhile.
  }
}

const ESTABLISHED = '01';

function mebibytes(text: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
  if (found === null) throw new Error(`the kernel does not say ${name}`);
  return Number(found[1]) / 1024;
}
