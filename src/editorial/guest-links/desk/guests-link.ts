// The way from a page to the guests who may read what it shows.

import type { DeskRequest } from '../../../pages/desk/page.ts';
import { type Html, html } from '../../../pages/html.ts';
import { mayShareWithGuests } from '../../../people/auth/policy.ts';
import type { GuestKind } from '../domain/guest-link.ts';

export const GUESTS = '/desk/guests';

export const guestsLink = ({ words, user }: DeskRequest, kind: GuestKind, id: number | string): Html | false =>
  mayShareWithGuests(user) && html`<a class="button" href=${`${GUESTS}/${kind}/${id}`}>${words('guests')}</a>`;
