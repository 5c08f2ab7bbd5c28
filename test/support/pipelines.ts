// A log with one stage, as tests of that stage need it.

import type { EventStore } from '../../src/event-store/event-store.ts';
import { hashChain } from '../../src/event-store/hash-chain/hash-chain.ts';
import { pipeline } from '../../src/event-store/pipeline.ts';
import { todaysShape, type Upcasters } from '../../src/event-store/upcasting/upcast.ts';
import { personalData } from '../../src/facts/personal-data/encrypting-store.ts';
import type { KeyRing, Unreadable } from '../../src/facts/personal-data/key-ring.ts';

export const withHashChain = (log: EventStore): EventStore => pipeline(log, [hashChain]);

export const withPersonalData = (log: EventStore, keys: KeyRing, unreadable?: Unreadable): EventStore =>
  pipeline(log, [personalData(keys, unreadable)]);

export const withUpcasting = (log: EventStore, upcasters: Upcasters): EventStore =>
  pipeline(log, [todaysShape(upcasters)]);
