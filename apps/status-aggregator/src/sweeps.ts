import { EMPTY, exhaustMap, ignoreElements, type Observable, timer } from 'rxjs';
import type { ChainPorts } from './new-chain.ts';
import { Sweeper } from './sweeper.ts';
import type { World } from './world.ts';

/** Sweeps again and again while subscribed, one round at a time, unless that is switched off. */
export function sweeps(ports: ChainPorts, world: World): Observable<never> {
  const { config, election } = ports;
  if (config.sweep === 'off') return EMPTY;
  const sweeper = new Sweeper({
    ...ports,
    world,
    mode: config.sweep,
    confirmMs: config.sweepConfirmMs,
    perSecond: config.sweepsPerSecond,
    executorGroup: config.executorGroup,
    isLeader: () => election.isLeader(),
  });
  return timer(config.sweepPeriodMs, config.sweepPeriodMs).pipe(
    exhaustMap(() => sweeper.round()),
    ignoreElements(),
  );
}
