// Sources and their polls, as the API answers them.
export const SOURCES = '/desk/sources';

export const MODES = ['apply', 'propose', 'ignore'] as const;
export const ON_MISSING = ['bin', 'cancel', 'leave'] as const;
export const STATUSES = ['publish', 'draft', 'pending'] as const;
export const COUNTED = ['created', 'changed', 'unchanged', 'refused', 'missing', 'proposed'] as const;

interface Named {
  readonly id: number;
  readonly name: string;
}

type Problem =
  | 'unreadable'
  | 'empty'
  | 'shrank'
  | 'moved'
  | 'too_many'
  | 'too_large'
  | 'user'
  | 'interrupted'
  | 'fault';

export interface ShownPoll {
  /** The request id of what it wrote. */
  readonly request: string;
  readonly begun: string;
  readonly ended: string | null;
  /** Null: it was due. */
  readonly by: Named | null;
  readonly outcome: 'running' | 'unchanged' | 'applied' | 'proposed' | 'looked' | 'failed';
  readonly problem: Problem | null;
  readonly detail: string;
  readonly counts: { readonly [Name in (typeof COUNTED)[number]]: number };
  readonly notes: readonly { readonly name: string; readonly line: number | null; readonly reason: string }[];
}

export interface ShownSource {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly every: number;
  readonly mode: (typeof MODES)[number];
  readonly on_missing: (typeof ON_MISSING)[number];
  /** Empty: as its records say. */
  readonly status: string;
  readonly user: Named;
  readonly paused: boolean;
  readonly next_poll: string | null;
  readonly failures: number;
  readonly to_confirm: 'empty' | 'shrank' | 'moved' | null;
  readonly last_poll: ShownPoll | null;
}

export const titleOf = ({ name, address }: Pick<ShownSource, 'name' | 'address'>): string =>
  name || URL.parse(address)?.host || address;
