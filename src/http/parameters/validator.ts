// What a validator of a parameter is, and what it is asked with.

import type { PostOfSlug } from '../../calendar/resource/queries/find-by-slug.ts';
import type { EpochSeconds, Zone } from '../../kernel/time/zone.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Allowed } from './allowed.ts';
import type { Lookups } from './lookups.ts';
import type { ParameterMap } from './parameter-map.ts';

export interface ValidationContext {
  readonly caller: Caller;
  readonly now: EpochSeconds;
  readonly siteZone: Zone;
  readonly lookups: Lookups;
  /** From the path. */
  readonly slug: string | undefined;
  /** Takes the post that it leads to, and says whether the request can go on with it. */
  readonly takePost?: (named: PostOfSlug) => boolean;
  /** Everything that was sent, not yet validated, for validators that need two parameters. */
  readonly values: ParameterMap;
}

/** Whether a value is accepted, and what handlers get for it, if not what its declared type makes of it. */
export type Verdict = boolean | { /** Undefined: as if it had not been sent. */ readonly value: unknown };

type Ask = (value: unknown, context: ValidationContext) => Verdict | Promise<Verdict>;

/** Never asked about null or absent values. A promise where something must be looked up. */
export interface Validator extends Ask {
  /** What it accepts, in words. */
  readonly allowed?: Allowed;
}

/** A validator that says what it accepts, and reads it; `check` is left as it is. */
export function allowing(sentence: Allowed, check: Ask, read?: (value: unknown) => unknown): Validator {
  const whenAccepted = (value: unknown, verdict: Verdict): Verdict =>
    read && verdict !== false ? { value: read(value) } : verdict;
  const validator: Ask = (value, context) => {
    const verdict = check(value, context);
    return verdict instanceof Promise
      ? verdict.then((settled) => whenAccepted(value, settled))
      : whenAccepted(value, verdict);
  };
  return Object.assign(validator, { allowed: sentence });
}
