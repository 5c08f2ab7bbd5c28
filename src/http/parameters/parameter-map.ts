// The map that parameters are collected in.

/** Without a prototype, so that no name means anything but itself. */
export type ParameterMap = { [name: string]: unknown };

/** Names that reach into a prototype; dropped wherever they stand. */
const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const isUnsafeName = (name: string): boolean => UNSAFE_NAMES.has(name);

export const emptyMap = (): ParameterMap => Object.create(null);
