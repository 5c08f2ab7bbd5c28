// Online, at a place, or both: what is said about it, and what follows.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { evolveOnline, type Online, type OnlinePatch, onlineFacts } from '../../../src/calendar/event/domain/online.ts';
import type { PostStatus } from '../../../src/calendar/resource/domain/post.ts';

const ROOM = 'https://meet.example/room';
const SAID: Online = { isVirtual: false, virtualUrl: null, virtualVideoSource: '' };

interface Given {
  readonly status: PostStatus;
  readonly online?: Online;
}

/** The types of the facts, and what holds after them. */
function after(given: Given, patch: OnlinePatch): readonly [string[], Online | undefined] {
  const facts = onlineFacts(given, patch);
  const state = facts.reduce<Given>((state, fact) => evolveOnline(state, fact) ?? state, given);
  return [facts.map(({ type }) => type), state.online];
}

test('an address alone makes a draft an online event', () => {
  const online = { ...SAID, isVirtual: true, virtualUrl: ROOM };
  assert.equal(after({ status: 'draft' }, { online: { virtualUrl: ROOM } }), [['EventMovedOnline'], online]);
});

test('a published event has moved online, also when its address changes', () => {
  const online: Online = { isVirtual: true, virtualUrl: null, virtualVideoSource: 'zoom', moved: true };
  const patch = { online: { isVirtual: true, virtualVideoSource: 'zoom' } };
  assert.equal(after({ status: 'publish' }, patch), [['EventMovedOnline'], online]);
  const addressed = { ...online, virtualUrl: ROOM };
  assert.equal(after({ status: 'publish', online }, { online: { virtualUrl: ROOM } }), [
    ['EventOnlineAddressChanged'],
    addressed,
  ]);
});

test('it is at a place again, with or without an address', () => {
  const online: Online = { ...SAID, isVirtual: true, virtualUrl: ROOM, moved: true };
  assert.equal(after({ status: 'publish', online }, { online: { isVirtual: false } }), [
    ['EventMovedOnSite'],
    { ...SAID, virtualUrl: ROOM },
  ]);
});

test('that nothing is said differs from no', () => {
  assert.equal(after({ status: 'draft' }, { online: { isVirtual: false } }), [['EventMovedOnSite'], SAID]);
  assert.equal(after({ status: 'draft', online: SAID }, { online: null }), [['EventMovedOnSite'], undefined]);
});

test('what is said twice is no fact', () => {
  const online = { ...SAID, isVirtual: true, virtualUrl: ROOM };
  assert.equal(after({ status: 'draft', online }, { online: { virtualUrl: ROOM } }), [[], online]);
  assert.equal(after({ status: 'draft', online }, {}), [[], online]);
  assert.equal(after({ status: 'draft' }, { online: null }), [[], undefined]);
});

test.run();
