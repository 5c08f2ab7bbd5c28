// A log with one stage, as tests of that stage need it.

import type { EventStore } from '../../src/log/event-store.ts';
import { hashChain } from '../../src/log/hash-chain/hash-chain.ts';
import { pipeline } from '../../src/log/pipeline.ts';
import { todaysShape, type Upcasters } from '../../src/log/upcasting/upcast.ts';
import { personalData } from '../../src/people/personal-data/facts/encrypting-store.ts';
import type { KeyRing, Unreadable } from '../../src/people/personal-data/facts/key-ring.ts';

export const withHashChain = (log: EventStore): EventStore => pipeline(log, [hashChain]);

export const withPersonalData = (log: EventStore, keys: KeyRing, unreadable?: Unreadable): EventStore =>
  pipeline(log, [personalData(keys, unreadable)]);

export const withUpcasting = (log: EventStore, upcasters: Upcasters): EventStore =>
  pipeline(log, [todaysShape(upcasters)]);
