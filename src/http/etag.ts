// Entity tags. A thing's tag is its revision; where it shows others, a mark of those stands behind it.
import { ApiError } from './errors.ts';

/** `"7"`, or `"7-1k3f"` when the representation embeds other things. */
export const entityTag = (revision: number, mark: string): string =>
  mark === '' ? `"${revision}"` : `"${revision}-${mark}"`;

/** Whether `If-None-Match` names this tag. */
export function isKnown(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === tag);
}

const REVISION = /^"(\d{1,15})(?:-[0-9a-z]+)?"$/;

/**
 * The revision that `If-Match` insists on; undefined when the client does not care (`*`, or no header). Throws 412 for a
 * tag that no thing of ours can have: it cannot match.
 */
export function insistedRevision(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const revision = REVISION.exec(ifMatch.trim())?.[1];
  if (revision === undefined) throw new ApiError('rest_precondition_failed');
  return Number(revision);
}
