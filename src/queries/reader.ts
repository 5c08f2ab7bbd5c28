// Who reads, and how the answer must speak to that reader.
import type { Caller } from '../auth/caller.ts';
import type { Document, DocumentKey, EventDocument } from '../read-model/documents.ts';
import type { TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { EpochSeconds, Zone } from '../time/zone.ts';

/** Where links point; see `Links` in src/http/route.ts. */
export interface LinkTargets {
  readonly site: string;
  readonly root: string;
  readonly host: string;
}

export interface Reader {
  readonly caller: Caller;
  readonly now: EpochSeconds;
  readonly links: LinkTargets;
  /** Whose clock publication and modification are told by. */
  readonly siteZone: Zone;
  /** The password that the reader presents for protected resources. */
  readonly password: string | undefined;
  /** Told of each resource that the password is tried on, unless that was tried just now; throws when it was too much. */
  readonly guess?: (thing: string) => { forgive(): void };
}

/** Where that comes from which events embed: a read model, as a rule. */
export interface EmbeddedSource {
  /** Documents by key, in the order asked; null where there is none. */
  fetch(keys: readonly DocumentKey[]): Promise<readonly (Document | null)[]>;
  /** Categories and tags, by id; at least those that these events carry. */
  terms(events: readonly EventDocument[]): Promise<ReadonlyMap<number, TermView>>;
}

/** What queries work with. */
export interface QueryDependencies {
  readonly readModel: ReadModel;
  readonly siteZone: Zone;
  readonly perPage: number;
  /** What calendars and feeds are called; null: as their host. */
  readonly siteName: string | null;
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>;
  /** What that would answer, where it is remembered. */
  readonly recallVerdict?: (password: string, hash: string) => boolean | undefined;
}
