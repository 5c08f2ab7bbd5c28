import type { ErrorCode, Operations, Schemas } from './types.d.ts';

export type { ErrorCode, Operations, Schemas } from './types.d.ts';

export interface ClientOptions {
  /** Of the API: `https://calendar.example/calendar/events/v1`. */
  readonly url: string;
  /** Of a user; without one the client reads what is public. */
  readonly token?: string;
  /** How often a request is sent at most, when it is told to come back; default 4. */
  readonly attempts?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  /** The `etag` of what was read: the write happens only if it is still so. */
  readonly ifMatch?: string;
  /** Names a creation, so that repeating it creates nothing else; by default each call has one of its own. */
  readonly idempotencyKey?: string;
  /** Why something changes, for its history. */
  readonly reason?: string;
  /** The `position` of a write that the answer has to know. */
  readonly atLeast?: string;
  /** `de`, for texts of answers. */
  readonly language?: string;
  readonly signal?: AbortSignal;
}

export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data: { readonly status: number; readonly [member: string]: unknown };
}

export interface Answer<Value> {
  readonly kind: 'answer';
  readonly status: number;
  readonly value: Value;
  readonly etag: string | null;
  /** Of a write, for `atLeast` of later reads. */
  readonly position: string | null;
}

/** Of a write: another client has changed it, or the state does not allow it. Read again and decide. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly status: 409 | 412;
  readonly error: ErrorBody;
}

/** An answer that is neither a success nor a conflict. */
export class DaybookError extends Error {
  constructor(status: number, body: Partial<ErrorBody> | null);
  readonly status: number;
  readonly code: string;
  readonly data: object;
}

type Outcome<Id extends keyof Operations> =
  | Answer<Operations[Id]['answer']>
  | (Operations[Id]['conflicts'] extends true ? Conflict : never);

type Arguments<Given> =
  Record<never, never> extends Given ? [given?: Given, options?: CallOptions] : [given: Given, options?: CallOptions];

/** Each operation of the OpenAPI document by its id; variables of the path, query and body are members of one object. */
export type Calls = {
  readonly [Id in keyof Operations]: (...given: Arguments<Operations[Id]['given']>) => Promise<Outcome<Id>>;
};

/** Operations whose answer is a page of a list, and what it lists. */
type Listed = {
  readonly [Id in keyof Operations as Operations[Id]['answer'] extends { readonly total_pages: number }
    ? Id
    : never]: ItemOf<Operations[Id]['answer']>;
};
type ItemOf<Page> = {
  [Member in keyof Page]-?: Page[Member] extends readonly (infer Item)[] ? Item : never;
}[keyof Page];

export interface Daybook extends Calls {
  /** Changes as they happen, from `after` on; remember `after` of the last one to go on from there. Ends with `signal`. */
  changes(
    given?: Omit<Operations['getChanges']['given'], 'wait' | 'order'>,
    options?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<{ readonly change: Schemas['ChangeEntry']; readonly after: string }, void>;
  /** All items of a list, page after page. */
  each<Id extends keyof Listed & keyof Operations>(
    id: Id,
    given?: Operations[Id]['given'],
    options?: CallOptions,
  ): AsyncGenerator<Listed[Id], void>;
}

export function openDaybook(options: ClientOptions): Daybook;
