// The values of a form: what it was opened with, what was typed, and what others have saved meanwhile.
import { MEDIA_PATH } from '../../calendar/picture/domain/picture.ts';
import type { ParameterMap } from '../../http/parameters/parameter-map.ts';
import { textOf } from './page.ts';

/** One text for each field. */
export type Values<Name extends string> = { readonly [One in Name]: string };

/** What was typed into a field. A form is sent with the line ends of DOS. */
export const typedText = (form: ParameterMap, name: string): string =>
  textOf(form, name).replaceAll('\r\n', '\n').trim();

/** An image of fields as they were written: an uploaded picture by its number, another one by its address. */
export function imageText(image: unknown): string {
  if (typeof image !== 'object' || image === null || !('url' in image) || !('id' in image)) return '';
  const url = String(image.url);
  return url.startsWith(MEDIA_PATH) ? String(image.id) : url;
}

/** The fields whose values differ. */
export const differing = <Name extends string>(one: Values<Name>, other: Values<Name>): readonly Name[] =>
  // The keys of values are the names of their fields.
  (Object.keys(one) as Name[]).filter((name) => one[name] !== other[name]);

export interface Conflict<Name extends string> {
  readonly base: Values<Name>;
  readonly now: Values<Name>;
  readonly input: Values<Name>;
  /** The fields that others have changed. */
  readonly theirs: readonly Name[];
}

/**
 * What was typed over what others have saved meanwhile: fields that were not touched take their new value. `both` were
 * changed here and there, to different values.
 */
export function mergedValues<Name extends string>(base: Values<Name>, input: Values<Name>, now: Values<Name>) {
  const [mine, theirs] = [differing(base, input), differing(base, now)];
  const changes = Object.fromEntries(mine.map((name) => [name, input[name]]));
  return {
    values: { ...now, ...changes },
    theirs,
    both: mine.filter((name) => theirs.includes(name) && input[name] !== now[name]),
  };
}

/** The values that a form was opened with, from its field `_was`; of a form without them everything counts as typed. */
export function openedWith<Name extends string>(form: ParameterMap, blank: Values<Name>): Values<Name> {
  try {
    const values: unknown = JSON.parse(textOf(form, '_was'));
    if (typeof values !== 'object' || values === null) return blank;
    const known = Object.entries(values).filter(([name, value]) => name in blank && typeof value === 'string');
    return { ...blank, ...Object.fromEntries(known) };
  } catch {
    return blank;
  }
}
