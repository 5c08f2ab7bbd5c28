// Settings of the site, as clients send them. An empty text takes a choice back.

import { allowed } from '../../../http/parameters/allowed.ts';
import { isEmpty, positiveInteger } from '../../../http/parameters/readers.ts';
import { allowing, type Validator } from '../../../http/parameters/validator.ts';
import { MEDIA_PATH } from '../../picture/domain/picture.ts';
import { MIN_CONTRAST } from '../domain/accent.ts';
import { isAllowed, MAX_LABEL, MAX_LINKS, MAX_SITE_NAME } from '../domain/site-settings.ts';

export const siteName: Validator = allowing(
  allowed('allowed_characters', { least: 1, most: MAX_SITE_NAME }),
  (value) => isEmpty(value) || (typeof value === 'string' && isAllowed('site_name', value)),
);

export const siteCurrency = allowing(
  allowed('allowed_site_currency', { example: 'EUR' }),
  (value) => isEmpty(value) || (typeof value === 'string' && isAllowed('currency', value.trim().toUpperCase())),
  (value) => (typeof value === 'string' ? value.trim().toUpperCase() : ''),
);

/** The id of an uploaded picture; what is shown of it is no larger than needed. */
export const siteLogo = allowing(allowed('allowed_site_logo', {}), async (value, { lookups }) => {
  if (isEmpty(value)) return { value: '' };
  const id = positiveInteger(value);
  const image = id === null ? null : await lookups.image(id);
  if (image === null || !image.url.startsWith(MEDIA_PATH)) return false;
  return { value: { id: image.id, url: image.sizes?.medium?.url ?? image.url } };
});

export const siteAccent = allowing(
  allowed('allowed_site_accent', { example: '#8a2f1c', least: MIN_CONTRAST }),
  (value) => isEmpty(value) || (typeof value === 'string' && isAllowed('accent', value)),
  (value) => (typeof value === 'string' ? value.toLowerCase() : ''),
);

export const siteLinks = allowing(
  allowed('allowed_site_links', { most: MAX_LINKS, characters: MAX_LABEL }),
  (value) => {
    if (isEmpty(value)) return { value: [] };
    if (!Array.isArray(value)) return false;
    const links = value.map((link: unknown) => {
      const { label, url } = Object(link) as { readonly label?: unknown; readonly url?: unknown };
      return { label: typeof label === 'string' ? label : '', url: typeof url === 'string' ? url : '' };
    });
    return isAllowed('links', links) && { value: links };
  },
);
