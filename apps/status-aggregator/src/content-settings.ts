import type { Settings } from '@executor-status/process';

/** What a status says; the numbers are those of the design, sections 5.2 and 7. */
export const CONTENT_SETTINGS = {
  detail: {
    type: 'string',
    enum: ['full', 'failing'],
    default: 'full',
    description:
      'With failing, healthy entries, counts and rollouts are left out, so that a rollout of healthy pods writes nothing.',
  },
  maxEntries: {
    type: 'integer',
    minimum: 0,
    maximum: 256,
    default: 100,
    description: 'Most entries of byPod; failing pods come first, and the counts stay exact.',
  },
  maxStatusBytes: {
    type: 'integer',
    minimum: 16_384,
    maximum: 1_048_576,
    default: 524_288,
    description: 'Most bytes of a whole status as the API server stores it; the lists shrink to fit.',
  },
  grace: {
    type: 'string',
    format: 'duration',
    default: '60s',
    'x-max': '1h',
    description:
      'How long a new pod, or a pod after an edit, may be without its report before that is a fault.',
  },
  successHold: {
    type: 'string',
    format: 'duration',
    default: '10s',
    'x-max': '1h',
    description: 'How long there must be no failure before Ready and succeeded turn from False to True.',
  },
  writerDown: {
    type: 'string',
    format: 'duration',
    default: '30s',
    'x-max': '1h',
    description: 'How long an executor-writer may be down before what it last said counts as stale.',
  },
  expiryNotice: {
    type: 'string',
    format: 'duration',
    default: '168h',
    'x-max': '596h',
    description: 'How long before its end a certificate raises CredentialsExpiring.',
  },
  showRatifyLag: {
    type: 'boolean',
    default: true,
    description:
      'Show where Ratify has not built again after a recovery; off for a Ratify that retries by itself.',
  },
  hideNodeNames: {
    type: 'boolean',
    default: false,
    description: 'Leave the names of nodes out of statuses and Events.',
  },
  hidePodNames: {
    type: 'boolean',
    default: false,
    description:
      'Name pods by their uids in statuses and Events; who may read the reports finds them by these.',
  },
} as const satisfies Settings;
