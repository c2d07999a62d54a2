/** The program stopped as it should. */
export const EXIT_STOPPED = 0;
/** It crashed, or did not stop in time. */
export const EXIT_CRASHED = 1;
/** Somebody must change how it is set up: `EX_CONFIG` of sysexits.h. */
export const EXIT_MISCONFIGURED = 78;
