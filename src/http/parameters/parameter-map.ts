// The map of collected parameters.

/** Without a prototype, so that no name has a special meaning. */
export type ParameterMap = { [name: string]: unknown };

/** Names that reach into a prototype; removed everywhere. */
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const isUnsafeName = (name: string): boolean => UNSAFE_NAMES.has(name);

export const emptyMap = (): ParameterMap => Object.create(null);
