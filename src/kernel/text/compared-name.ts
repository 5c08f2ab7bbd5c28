// Names as they are compared: what people read as one name is one, however it was typed.

const WITHOUT_WIDTH = /\p{Cf}+/gu;

/**
 * Letters count in any case and however they are composed; signs without width, and more or other blanks than one, do not
 * count. Accents do. `ß` is `ss`.
 */
export const comparedName = (name: string): string => withoutMargins(name.normalize().toUpperCase().toLowerCase());

/** As earlier builds have compared names, but for blanks and signs without width: `ß` is a letter of its own. */
export const comparedBefore = (name: string): string => withoutMargins(name.normalize().toLowerCase());

const withoutMargins = (text: string): string =>
  text.normalize().replace(WITHOUT_WIDTH, '').replace(/\s+/gu, ' ').trim();

/** Whether two names are read as one. */
export const isSameName = (one: string, other: string): boolean => comparedName(one) === comparedName(other);
