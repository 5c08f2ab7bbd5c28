// One run of an import: read everything, claim ids, then write terms, venues and organizers, events.

import { metadataOf } from '../commands/context.ts';
import { earlierAnswer } from '../commands/idempotency.ts';
import { ORGANIZERS } from '../commands/organizers.ts';
import { kindOfId } from '../commands/references.ts';
import { streamOf } from '../commands/registers.ts';
import { VENUES } from '../commands/venues.ts';
import type { CostDisplay } from '../domain/cost.ts';
import { slugFrom } from '../domain/slug.ts';
import { TERM_KINDS } from '../domain/term.ts';
import { openCollection } from './collect.ts';
import { readConference } from './conference-records.ts';
import { filledTextIn, isObject } from './fields.ts';
import { inLanes } from './in-lanes.ts';
import type { Ledger } from './ledger.ts';
import type { Progress } from './progress.ts';
import { type Page, type ReadLimits, readSource } from './read-source.ts';
import { kindOfRecord } from './recognise.ts';
import { readTecRecord } from './tec-records.ts';
import { NO_WISHES, type Origin, type Place, type Reading, type Wishes } from './wishes.ts';
import { writeEvent } from './write-events.ts';
import { writeLinkedPost } from './write-linked-posts.ts';
import { byDepth, writeTerm } from './write-terms.ts';
import { contextOf, IMPORTER, type Writing } from './writing.ts';

export interface ReadOptions {
  readonly sources: readonly string[];
  readonly limits: ReadLimits;
  readonly display: CostDisplay;
  readonly authors: 'keep' | 'drop';
}

export interface WhatWasRead {
  readonly wishes: Wishes;
  /** Records met, those that were refused included. */
  readonly records: number;
}

/** Reads all sources; what cannot be read or taken goes to the ledger. */
export async function readAll(options: ReadOptions, ledger: Ledger, progress: Progress): Promise<WhatWasRead> {
  const collection = openCollection();
  let records = 0;
  progress.begin('Reading', null);
  for (const source of options.sources) {
    for await (const part of readSource(source, options.limits)) {
      if (part.kind === 'fault') ledger.refuse(part.fault);
      else records += readPage(part, options, (reading) => take(reading));
      progress.reach(records);
    }
  }
  progress.end();
  return { wishes: collection.collected(), records };

  function take({ wishes, faults }: Reading): void {
    collection.add(wishes);
    for (const fault of faults) ledger.refuse(fault);
  }
}

function readPage(page: Page, options: ReadOptions, take: (reading: Reading) => void): number {
  for (const [index, record] of page.records.entries()) {
    const place = { file: page.file, index: page.isSingle ? null : index };
    take(readRecord(record, place, page, options));
  }
  return page.records.length;
}

function readRecord(record: unknown, place: Place, page: Page, { display, authors }: ReadOptions): Reading {
  const kind = kindOfRecord(record);
  if (isObject(record) && kind === 'conference') return readConference(record, { place, topic: page.topic });
  if (isObject(record) && kind !== 'conference' && kind !== 'unknown')
    return readTecRecord(kind, record, { place, site: page.site, display, authors });
  const reason = 'neither an event, venue, organizer, category or tag, nor an entry of a conference list';
  const name = isObject(record) ? (filledTextIn(record, 'title') ?? filledTextIn(record, 'name') ?? '') : '';
  return { wishes: NO_WISHES, faults: [{ kind: 'record', name, place, reason }] };
}

/** Commands under way at a time: the store commits together what arrives together. */
const AT_ONCE = 256;

/** Brings everything about, what others refer to first. */
export async function writeAll(writing: Writing, wishes: Wishes, progress: Progress): Promise<void> {
  const { terms, venues, organizers, events } = wishes;
  progress.begin('Writing', terms.length + venues.length + organizers.length + events.length);
  await claimIds(writing, wishes);
  let done = 0;
  const through = async <Wish>(
    all: readonly Wish[],
    lane: (wish: Wish) => string,
    work: (wish: Wish) => Promise<void>,
  ) =>
    inLanes(all, { atOnce: AT_ONCE, laneOf: lane }, async (wish) => {
      await work(wish);
      progress.reach(++done);
    });
  for (const level of byDepth(terms))
    await through(
      level,
      ({ kind, name }) => `${kind} ${slugFrom(name)}`,
      (wish) => writeTerm(writing, wish),
    );
  await through(
    venues,
    ({ input }) => slugFrom(input.name ?? ''),
    (wish) => writeLinkedPost(writing, VENUES, wish),
  );
  await through(
    organizers,
    ({ input }) => slugFrom(input.name ?? ''),
    (wish) => writeLinkedPost(writing, ORGANIZERS, wish),
  );
  await through(
    events,
    ({ input }) => slugFrom(input.slug ?? input.title ?? ''),
    (wish) => writeEvent(writing, wish),
  );
  progress.end();
}

type WithId = { readonly origin: Origin; readonly id: number | undefined };

async function claimIds(writing: Writing, { terms, venues, organizers, events }: Wishes): Promise<void> {
  const { store, postIds, termIds } = writing.commands;
  await claimFrom(writing, [...venues, ...organizers, ...events], postIds, async (id) => {
    return (await kindOfId(store, id)) !== null;
  });
  await claimFrom(writing, terms, termIds, async (id) => {
    const [category = [], tag = []] = await Promise.all(
      TERM_KINDS.map((kind) => store.readStream(streamOf(kind, id), { limit: 1 })),
    );
    return category.length + tag.length > 0;
  });
}

/** Asks for the ids that new things had where they come from, source by source. */
async function claimFrom(
  writing: Writing,
  wishes: readonly WithId[],
  ids: Writing['commands']['postIds'],
  isUsed: (id: number) => Promise<boolean>,
): Promise<void> {
  const bySource = new Map<string, WithId[]>();
  for (const wish of wishes) {
    if (wish.id === undefined || (await earlierAnswer(writing.commands.store, IMPORTER, wish.origin.key))) continue;
    const known = bySource.get(wish.origin.source);
    if (known) known.push(wish);
    else bySource.set(wish.origin.source, [wish]);
  }
  for (const [claimant, claiming] of bySource) {
    const [first] = claiming;
    if (!first) continue;
    const wished = claiming.flatMap(({ id }) => id ?? []);
    const metadata = metadataOf(contextOf(writing, first.origin));
    const granted = await ids.claim(wished, metadata, { claimant, isUsed });
    for (const { id, origin } of claiming) if (id !== undefined && granted.has(id)) writing.granted.set(origin.key, id);
  }
}
