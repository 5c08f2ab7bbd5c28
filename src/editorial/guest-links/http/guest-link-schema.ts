// Links for guests on the wire: what their routes take, and what they answer.

import * as member from '../../../http/schemas/members.ts';
import { anyId, integer, optional, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { GUEST_KINDS, GUEST_STEPS, type GuestKind } from '../domain/guest-link.ts';

/** Days for which a link opens. */
export const GUEST_DAYS = { usual: 14, most: 90 };

const target = {
  kind: text<GuestKind>('guest_link.kind', ['oneOf', GUEST_KINDS]),
  of: integer('guest_link.of', 'positiveInt'),
};

export const guestLinkTables = {
  /** Both are needed: that is said behind the rights. */
  list: Type.Object(optional(target)),
  read: Type.Object({ id: anyId('guest_link') }),
  create: Type.Object({
    ...target,
    ...optional({
      name: text('guest_link.name', 'stringOrEmpty'),
      days: integer('guest_link.days', ['countUpTo', GUEST_DAYS.most], { default: GUEST_DAYS.usual }),
    }),
  }),
};

const remark = member.object('guest_link.remark', {
  step: member.oneOf('guest_link.step', GUEST_STEPS),
  text: member.text('proposal.text'),
  instant: member.instant('revision.instant'),
});

export const guestLink = member.object('guest_link', {
  id: member.integer('guest_link.id'),
  kind: member.oneOf('guest_link.kind', GUEST_KINDS),
  of: member.integer('guest_link.of'),
  name: member.text('guest_link.name'),
  by: member.component('Actor', 'guest_link.by'),
  made: member.instant('guest_link.made'),
  until: member.instant('guest_link.until'),
  open: member.flag('guest_link.open'),
  remarks: member.listOf(remark, 'guest_link.remarks'),
  ...optional({ link: member.orNull(member.address('guest_link.link')) }),
});

export const guestLinkList = member.object('guest_link.list_answer', {
  links: member.listOf(Type.Ref('GuestLink'), 'guest_link.links'),
});
