// The members that events, venues and organizers share on the wire.

import type { CostDisplay } from '../calendar/event/domain/currency.ts';
import { MEDIA_PATH } from '../calendar/picture/domain/picture.ts';
import { extensionOf, type Image, type ImageSize } from '../calendar/resource/domain/image.ts';
import type { Post, PostKind } from '../calendar/resource/domain/post.ts';
import { type EpochSeconds, resolveZone, toWallClock, type WallClock, type Zone } from '../kernel/time/zone.ts';
import { siteTime, slot } from './slots.ts';

/** Stands for a date that is not fixed yet. */
const NO_DATE = '0000-00-00 00:00:00';

const UTC = zoneNamed('UTC');

function zoneNamed(name: string): Zone {
  const zone = resolveZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
}

/** A date as UTC wall clock. */
export const utc = (instant: EpochSeconds): WallClock => toWallClock(instant, UTC);

const POST_TYPES: Record<PostKind, string> = {
  event: 'tribe_events',
  venue: 'tribe_venue',
  organizer: 'tribe_organizer',
};

/** The public address of a post. */
export function postUrl(kind: PostKind, post: Post): string {
  if (post.status === 'publish' || post.status === 'private') return `${slot('site')}/${kind}/${post.slug}/`;
  return `${slot('site')}/?post_type=${POST_TYPES[kind]}&p=${post.id}`;
}

/** `author` up to `modified_utc`. */
export function postMembers(post: Post) {
  const unmodified = post.modified === post.created && post.dateFloats;
  return {
    author: String(post.author),
    status: post.status,
    date: siteTime(post.date),
    date_utc: post.dateFloats ? NO_DATE : utc(post.date),
    modified: siteTime(post.modified),
    modified_utc: unmodified ? NO_DATE : utc(post.modified),
  };
}

export const globalIdMembers = (id: number) => ({
  global_id: `${slot('host')}?id=${id}`,
  global_id_lineage: [`${slot('host')}?id=${id}`],
});

/** Signs that belong in no address, and would end an attribute or begin a tag where a page puts the address as it is. */
const UNSAFE_IN_ADDRESSES = /["'<>`\s\p{Cc}]/gu;
const percent = (sign: string): string => (sign === "'" ? '%27' : encodeURIComponent(sign));

type Addressed = Pick<Image, 'url'>;
type AddressOf = (image: Addressed) => string;

/** The address of an image, with the signs encoded that no page should meet in one; of an uploaded one below the site. */
const addressWithin: AddressOf = ({ url }) => url.replace(UNSAFE_IN_ADDRESSES, percent);

/** The address of an image with a slot for the site. */
export const imageAddress: AddressOf = (image) =>
  image.url.startsWith(MEDIA_PATH) ? `${slot('site')}${image.url}` : addressWithin(image);

const sizeObject = ({ width, height, mimeType, filesize, ...size }: ImageSize, addressOf: AddressOf): object => ({
  width,
  height,
  'mime-type': mimeType,
  ...(filesize !== undefined && { filesize }),
  url: addressOf(size),
});

/** An image as an object, with slots in it; dimensions only when they are known. */
export const imageObject = (image: Image): object => imageMembers(image, imageAddress);

/** An image as plain data: without the address of the site, which histories do not depend on. */
export const plainImage = (image: Image): object => imageMembers(image, addressWithin);

function imageMembers(image: Image, addressOf: AddressOf): object {
  const { id, url, width, height, filesize, sizes = {} } = image;
  const smaller = Object.entries(sizes).map(([name, size]) => [name, sizeObject(size, addressOf)]);
  return {
    url: addressOf(image),
    id,
    extension: extensionOf(url),
    ...(width === null || height === null ? {} : { width, height }),
    ...(filesize !== undefined && { filesize }),
    ...(image.sizes && { sizes: Object.fromEntries(smaller) }),
  };
}

type Texts = { readonly [member: string]: string };

/** Members whose values are not empty. */
export const presentMembers = (members: Texts): Texts =>
  Object.fromEntries(Object.entries(members).filter(([, text]) => text !== ''));

/** The same members, hidden by a password: that there is a value shows, the value does not. */
export const hiddenMembers = (members: Texts): Texts =>
  Object.fromEntries(Object.keys(presentMembers(members)).map((name) => [name, '']));

// What representations depend on besides the resource. A change of any of these refills the read models.

export interface RenderingSettings extends CostDisplay {
  readonly siteZone: Zone;
}

/** Those of a site; they follow what it says. */
export const renderingSettings = (site: { readonly zone: Zone; readonly prices: CostDisplay }): RenderingSettings => ({
  siteZone: site.zone,
  get signBefore() {
    return site.prices.signBefore;
  },
  get signAfter() {
    return site.prices.signAfter;
  },
  get freeLabel() {
    return site.prices.freeLabel;
  },
  get language() {
    return site.prices.language;
  },
});
