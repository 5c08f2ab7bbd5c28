// The reader, and what answers for that reader depend on.

import type { SitePrices } from '../calendar/event/domain/currency.ts';
import type { Site } from '../calendar/site/queries/site.ts';
import type { EpochSeconds, Zone } from '../kernel/time/zone.ts';
import type { Caller } from '../people/auth/caller.ts';
import type { Document, DocumentKey, EventDocument } from '../read-model/documents.ts';
import type { RecallListed, TermView } from '../read-model/queries.ts';
import type { ReadModel } from '../read-model/read-model.ts';
import type { AssembledEvent, ListedBody } from './bodies.ts';

/** The base of links; see `Links` in src/http/route.ts. */
export interface LinkTargets {
  readonly site: string;
  readonly root: string;
  readonly host: string;
}

export interface Reader {
  readonly caller: Caller;
  readonly now: EpochSeconds;
  readonly links: LinkTargets;
  /** The zone in which publication and modification are shown. */
  readonly siteZone: Zone;
  /** How costs are shown. The object changes with the settings of the site. */
  readonly prices: SitePrices;
  /** The password that the reader sends for protected resources. */
  readonly password: string | undefined;
  /** Called for each resource that the password is tried on, unless it was just tried; throws if it was too often. */
  readonly guess?: (resource: string) => { forgive(): void };
}

/** The source of what events embed: normally a read model. */
export interface EmbeddedSource {
  /** Documents by key, in the requested order; null for missing ones. */
  fetch(keys: readonly DocumentKey[]): Promise<readonly (Document | null)[]>;
  /** Categories and tags, by id; at least those of these events. */
  terms(events: readonly EventDocument[]): Promise<ReadonlyMap<number, TermView>>;
}

/** The texts of events as lists showed them to the public. */
export interface EventTexts {
  /** For one list; null: its reader, or the read model that it is read from, has others. */
  forList(reader: Reader, readModel: ReadModel): TextsOfList | null;
  /** Forgets all: their memory is needed. */
  empty(): void;
}

export interface TextsOfList {
  /** An event of the list as it was kept; undefined: it is to be read. */
  readonly recall: RecallListed<ListedBody>;
  /** Keeps what was made for the list, in the order of its documents. */
  keep(events: readonly EventDocument[], bodies: readonly AssembledEvent[]): void;
}

/** The dependencies of queries. */
export interface QueryDependencies {
  readonly readModel: ReadModel;
  readonly siteZone: Zone;
  readonly perPage: number;
  /** As it is called, and the language that it speaks. */
  readonly site: Pick<Site, 'name' | 'language' | 'prices'>;
  readonly verifyPassword: (password: string, hash: string) => Promise<boolean>;
  /** The cached answer, if there is one. */
  readonly recallVerdict?: (password: string, hash: string) => boolean | undefined;
  /** Absent: each list is made of documents. */
  readonly texts?: EventTexts;
}
