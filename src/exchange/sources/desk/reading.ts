// Sources and their polls, as the API answers them.
import type { Answer } from '../../../http/schemas/components.ts';

export const SOURCES = '/desk/sources';

export const STATUSES = ['publish', 'draft', 'pending'] as const;

export type Source = Answer<'Source'>;
export type SourcePoll = Answer<'SourcePoll'>;

/** Its polls fail, or what it wants to remove waits for a confirmation. */
export const isFailing = ({ failures, to_confirm: doubt }: Source): boolean => failures > 0 || doubt !== null;

export const titleOf = ({ name, address }: Pick<Source, 'name' | 'address'>): string =>
  name || URL.parse(address)?.host || address;
