// Every change of the form of stored events. Each step has a fixture of the old JSON in test/fixtures/events. Steps
// never change: they describe what old data meant, not what the domain does today.
import type { Json } from '../envelope.ts';
import { newestVersion, type Upcasters } from './upcast.ts';

export const upcasters: Upcasters = {
  VenueRelocated: { 1: withStateProvince },
};

/** The version in which events of this type are stored today. */
export function currentSchemaVersion(type: string): number {
  return newestVersion(upcasters, type);
}

/** Version 2 records which of the two regions counts: the state within the United States, the province elsewhere. */
function withStateProvince(data: Json): Json {
  const address = objectOf(data);
  const isInUnitedStates = ['', 'US', 'United States'].includes(textOf(address.country));
  return { ...address, stateprovince: textOf(isInUnitedStates ? address.state : address.province) };
}

function objectOf(data: Json): { readonly [key: string]: Json } {
  if (isObject(data)) return data;
  throw new TypeError('The data of this event is not an object.');
}

// `Array.isArray` does not narrow readonly arrays, hence a guard of our own.
function isObject(data: Json): data is { readonly [key: string]: Json } {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
