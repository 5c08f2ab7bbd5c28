// Numeric codes in the file.
import type { PostStatus } from '../../domain/post-status.ts';
import { DOCUMENT_KINDS, type DocumentKey, type DocumentKind } from '../documents.ts';
import { statusCode } from '../indexed-fields.ts';

/** Ids are below this, so that kind and id fit into one row id, and documents of a kind are adjacent. */
const IDS_PER_KIND = 2 ** 48;

export const kindCode = (kind: DocumentKind): number => DOCUMENT_KINDS.indexOf(kind);

/** The kind of such a number; undefined if unknown. */
export const kindOfCode = (code: number): DocumentKind | undefined => DOCUMENT_KINDS[code];

/** The row id of a document. */
export const documentRow = ({ kind, id }: DocumentKey): number => kindCode(kind) * IDS_PER_KIND + id;

/** First row id of a kind, and the first one after it. */
export const documentRows = (kind: DocumentKind): readonly [number, number] => [
  kindCode(kind) * IDS_PER_KIND,
  (kindCode(kind) + 1) * IDS_PER_KIND,
];

/** Statuses as an SQL list without its brackets, sorted, so that equal sets make equal statements. */
export const statusList = (statuses: readonly PostStatus[]): string =>
  [...new Set(statuses.map(statusCode))].sort().join(', ');

/** What an event may be linked to. */
export type LinkKind = 'category' | 'tag' | 'venue' | 'organizer';
