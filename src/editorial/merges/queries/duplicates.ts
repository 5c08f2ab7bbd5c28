// Venues, organizers, categories and tags that look alike. Each is looked up by its name, its address and its place on a
// grid, so the work grows with their number, not with that of their pairs: of many that are the same, each is told with
// the one of the lowest id.

import type { Venue } from '../../../calendar/linked-post/domain/venue.ts';
import { openTurns } from '../../../kernel/event-loop/turns.ts';
import { foldLetters } from '../../../kernel/text/ascii-folding.ts';
import { decodeEntities } from '../../../kernel/text/plain-text.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import { readableBy } from '../../../people/auth/policy.ts';
import { degreesOfLatitude, distanceKm } from '../../../read-model/distance.ts';
import type { LinkedPostDocument } from '../../../read-model/documents.ts';
import { NO_POSTS } from '../../../read-model/queries.ts';
import type { ReadModel } from '../../../read-model/read-model.ts';
import type { DuplicateReason, MergedKind } from '../domain/merge.ts';

/** One that may have a duplicate. */
export interface Candidate {
  readonly id: number;
  readonly name: string;
  /** `''`: unknown. */
  readonly address: string;
  readonly place: { readonly lat: number; readonly lng: number } | null;
}

interface Duplicate {
  /** The one with the lower id first. */
  readonly resources: readonly [Candidate, Candidate];
  readonly reasons: readonly DuplicateReason[];
  /** Their distance in metres, if they are near each other. */
  readonly distance?: number;
}

const NEAR_KM = 0.05;
/** How many of a cell are compared with: of more at one place the others are told with these. */
const MAX_COMPARED = 8;
const PORTION = 100;

/** Everything that looks alike among what the caller may read, by the ids of the pairs. */
export async function findDuplicates(
  readModel: Pick<ReadModel, 'listLinkedPosts' | 'fetch' | 'terms'>,
  caller: Caller,
  kind: MergedKind,
): Promise<readonly Duplicate[]> {
  const candidates =
    kind === 'venue' || kind === 'organizer' ? postsOf(readModel, caller, kind) : termsOf(readModel, kind);
  return pairsAmong(await candidates);
}

async function termsOf(readModel: Pick<ReadModel, 'terms'>, kind: MergedKind): Promise<Candidate[]> {
  const terms = [...(await readModel.terms()).values()].filter((term) => term.kind === kind);
  return terms.map(({ id, name }) => ({ id, name, address: '', place: null }));
}

async function postsOf(
  readModel: Pick<ReadModel, 'listLinkedPosts' | 'fetch'>,
  caller: Caller,
  kind: 'venue' | 'organizer',
): Promise<Candidate[]> {
  const turn = openTurns();
  const { statuses, own } = readableBy(caller, kind);
  const visibility = { statuses: statuses.filter((status) => status !== 'trash'), own };
  const events = { visible: NO_POSTS, unmasked: NO_POSTS };
  const candidates: Candidate[] = [];
  for (let offset = 0, total = 1; offset < total; offset += PORTION) {
    const page = await readModel.listLinkedPosts({ kind, visibility, events, page: { offset, limit: PORTION } });
    total = page.total;
    for (const document of await readModel.fetch(page.items.map(({ id }) => ({ kind, id }))))
      if (document?.kind === kind) candidates.push(candidateOf(document as LinkedPostDocument));
    await turn();
  }
  return candidates;
}

function candidateOf({ id, name, kind, coordinates, state }: LinkedPostDocument): Candidate {
  // Only the projection of venues stores documents of this kind.
  const { address, city } = kind === 'venue' ? (state as unknown as Venue) : { address: '', city: '' };
  return { id, name, address: address === '' ? '' : `${address} ${city}`, place: coordinates };
}

/** The pairs among these, by their ids. */
function pairsAmong(candidates: readonly Candidate[]): readonly Duplicate[] {
  const byName = new Map<string, Candidate>();
  const byAddress = new Map<string, Candidate>();
  const grid = openGrid();
  const pairs: Duplicate[] = [];
  for (const candidate of candidates.toSorted((one, other) => one.id - other.id)) {
    const matches = new Map<Candidate, { reasons: DuplicateReason[]; distance?: number }>();
    const note = (other: Candidate | null, reason: DuplicateReason, distance?: number): void => {
      if (!other) return;
      const { reasons, ...rest } = matches.get(other) ?? { reasons: [] };
      matches.set(other, { ...rest, reasons: [...reasons, reason], ...(distance !== undefined && { distance }) });
    };
    note(firstOf(byName, comparedText(candidate.name), candidate), 'name');
    for (const { other, km } of grid.near(candidate)) note(other, 'place', Math.round(km * 1000));
    note(firstOf(byAddress, comparedText(candidate.address), candidate), 'address');
    for (const [other, why] of matches) pairs.push({ resources: [other, candidate], ...why });
  }
  return pairs.sort(({ resources: [a, b] }, { resources: [c, d] }) => a.id - c.id || b.id - d.id);
}

/** The first with this text; null if it is the candidate itself, or the text is blank. */
function firstOf(index: Map<string, Candidate>, text: string, candidate: Candidate): Candidate | null {
  if (text === '') return null;
  const first = index.get(text);
  if (!first) index.set(text, candidate);
  return first ?? null;
}

/** Letters and digits alone, without case and accents. */
const comparedText = (text: string): string =>
  foldLetters(decodeEntities(text))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A grid of cells that are at least as wide and high as what counts as near. */
function openGrid() {
  const cells = new Map<string, Candidate[]>();
  const height = degreesOfLatitude(NEAR_KM);
  const rowOf = (lat: number): number => Math.floor(lat / height);
  /** In degrees of longitude, at the edge of the row that is nearer to a pole; near the poles rows have few cells. */
  const widthIn = (row: number): number => {
    const lat = Math.min(89.9, Math.max(Math.abs(row * height), Math.abs((row + 1) * height)));
    return height / Math.cos((lat * Math.PI) / 180);
  };
  const columnOf = (row: number, lng: number): number => Math.floor(lng / widthIn(row));

  return {
    /** Those within reach that were asked about before, the nearest cells first; remembers the candidate. */
    near(candidate: Candidate): { readonly other: Candidate; readonly km: number }[] {
      const { place } = candidate;
      if (!place) return [];
      const neighbours: { other: Candidate; km: number }[] = [];
      const own = rowOf(place.lat);
      for (let row = own - 1; row <= own + 1; row++) {
        const width = widthIn(row);
        for (let column = columnOf(row, place.lng - width); column <= columnOf(row, place.lng + width); column++) {
          for (const other of cells.get(`${row} ${column}`) ?? []) {
            const km = other.place ? distanceKm(place, other.place) : Number.POSITIVE_INFINITY;
            if (km <= NEAR_KM) neighbours.push({ other, km });
          }
        }
      }
      const key = `${own} ${columnOf(own, place.lng)}`;
      const cell = cells.get(key) ?? [];
      if (cell.length < MAX_COMPARED) cells.set(key, [...cell, candidate]);
      return neighbours;
    },
  };
}
