// Entity tags. A resource's tag is its revision, followed by a digest of what it embeds.
// decision 13
import { ApiError } from '../errors.ts';

/** `"7"`, or `"7-Yw…"` if the representation embeds other resources. */
export const entityTag = (revision: number, mark: string): string =>
  mark === '' ? `"${revision}"` : `"${revision}-${mark}"`;

/** Whether `If-None-Match` contains this tag. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}

const REVISION = /^"(\d{1,15})(?:-[\w-]+)?"$/;

/**
 * The revision that `If-Match` requires; undefined for any (`*`, or no header). Throws 412 for a tag that no resource
 * can have.
 */
export function ifMatchRevision(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const revision = REVISION.exec(ifMatch.trim())?.[1];
  if (revision === undefined) throw new ApiError('rest_precondition_failed');
  return Number(revision);
}
