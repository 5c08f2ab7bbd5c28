// Sets of proposals, as the API answers them.
import type { Answer, PageOf } from '../../../http/schemas/components.ts';
import type { ReadProposal } from '../../proposals/desk/reading.ts';

export const SETS = '/desk/sets';

export type ChangeSet = Answer<'ChangeSet'>;
/** A set with what applying it now would come to. */
export type TriedSet = ChangeSet & Required<Pick<ChangeSet, 'others'>>;

export type SetsPage = PageOf<'sets', ChangeSet>;

/** A proposal of a set; null: this user may not see it. */
export interface SetMember {
  readonly id: number;
  readonly proposal: ReadProposal | null;
}

export const isUndecided = ({ state }: ChangeSet): boolean => state !== 'applied' && state !== 'withdrawn';
