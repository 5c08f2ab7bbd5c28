// What all pages for visitors have around their content.
// decision 33
import type { PageLayout } from '../../calendar/site/domain/site-settings.ts';
import type { Zone } from '../../kernel/time/zone.ts';
import type { Language } from '../../locales/language.ts';
import type { ImageAnswer } from '../answers.ts';
import type { PageAssets } from '../assets.ts';
import { type Html, html } from '../html.ts';
import { address, monthPath, type Query, without } from '../links.ts';
import type { Feeds } from '../periods.ts';
import type { Theme } from '../theme.ts';
import type { Words } from '../words.ts';

/** What a page is made with, resolved once. */
export interface Surroundings {
  readonly siteName: string;
  /** Absolute, without a slash at its end. */
  readonly site: string;
  /** The root of the API. */
  readonly root: string;
  readonly language: Language;
  readonly words: Words;
  readonly assets: PageAssets;
  readonly theme: Theme;
  /** How lists of events are laid out. */
  readonly pageLayout: PageLayout;
  readonly siteZone: Zone;
  /** What the API says of what costs nothing, in the language of the site. */
  readonly freeLabel: string;
  /** The month of today in that zone. */
  readonly thisMonth: string;
  /** Above everything else, of a page that editors preview. */
  readonly bar?: Html;
  /** Whether visitors may submit events. */
  readonly takesSubmissions: boolean;
}

interface Content {
  /** Plain text. */
  readonly title: string;
  /** A sentence for search engines and shared links. */
  readonly description?: string;
  /** The path with its query; absent for pages that nothing should refer to. */
  readonly canonical?: string;
  /** Where the API answers for this page. */
  readonly api?: string;
  /** For shared links. */
  readonly image?: SharedImage;
  readonly jsonLd?: object;
  /** Absent for pages without events. */
  readonly feeds?: Feeds;
  /** Filters that the menu keeps. */
  readonly filters?: Query;
  /** The view of the menu that this page is. */
  readonly current?: View | 'submit';
  /** The element that is read before a page is drawn on a wide screen, so that nothing moves. One with a script in its middle does not wait. */
  readonly drawnFrom?: 'main' | 'end';
  readonly main: Html | readonly (Html | false)[];
}

type SharedImage = Pick<ImageAnswer, 'url' | 'width' | 'height' | 'sizes'>;

export type View = 'upcoming' | 'today' | 'weekend' | 'next_week' | 'month';

const VIEWS: readonly View[] = ['upcoming', 'today', 'weekend', 'next_week', 'month'];

function pathOfView(view: View, thisMonth: string, filters: Query): string {
  const others = without(filters, 'when');
  if (view === 'month') return address(monthPath(thisMonth), others);
  return address('/', view === 'upcoming' ? others : [...others, ['when', view]]);
}

export function layout(surroundings: Surroundings, content: Content): Html {
  const { siteName, language, words, assets, pageLayout, bar } = surroundings;
  return html`<html lang=${language.code}>
    ${head(surroundings, content)}
    <body class=${`layout-${pageLayout}`}>
      <a class="skip" href="#main">${words('skip')}</a>
      ${bar && html`<aside class="preview">${bar}</aside>`}
      <header class="site"><div class="bar">
        <a class="name" href="/">${
          assets.logo && html`<img src=${assets.logo.path} alt="" height="40" />`
        }${siteName}</a>
        <nav aria-label=${words('main_menu')}>${menu(surroundings, content)}</nav>
      </div></header>
      <main id="main">${content.main}</main>
      <footer id="end">${siteLinks(surroundings)}</footer>
    </body>
  </html>`;
}

function head({ siteName, site, root, assets, words }: Surroundings, content: Content): Html {
  const { title, description, canonical, api = '/', image, jsonLd, feeds, drawnFrom = 'end' } = content;
  const whole = title === siteName ? title : `${title} – ${siteName}`;
  // Originals are larger than some programs that show shared links take.
  const shared = image?.sizes?.large ?? image ?? logoShared(site, assets);
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${whole}</title>
    ${description && html`<meta name="description" content=${description} />`}
    ${
      canonical === undefined
        ? html`<meta name="robots" content="noindex" />`
        : html`<link rel="canonical" href=${`${site}${canonical}`} />`
    }
    <meta property="og:title" content=${title} />
    <meta property="og:site_name" content=${siteName} />
    <meta property="og:type" content="website" />
    ${canonical !== undefined && html`<meta property="og:url" content=${`${site}${canonical}`} />`}
    ${description && html`<meta property="og:description" content=${description} />`}
    ${shared && html`<meta property="og:image" content=${shared.url} />`}
    ${shared?.width && html`<meta property="og:image:width" content=${shared.width} />`}
    ${shared?.height && html`<meta property="og:image:height" content=${shared.height} />`}
    <meta name="twitter:card" content=${image ? 'summary_large_image' : 'summary'} />
    <meta name="tec-api-version" content="v1" />
    <meta name="tec-api-origin" content=${site} />
    <link rel="alternate" href=${`${root}${api}`} />
    ${feeds && html`<link rel="alternate" type="text/calendar" title=${words('calendar_feed')} href=${feeds.calendar} />`}
    ${
      feeds?.news !== undefined &&
      html`<link rel="alternate" type="application/atom+xml" title=${words('news_feed')} href=${feeds.news} />`
    }
    <link rel="icon" href=${assets.icon.path} />
    <link rel="expect" href="#main" blocking="render" />
    ${drawnFrom === 'end' && html`<link rel="expect" href="#end" blocking="render" media="(min-width: 40rem)" />`}
    <style dangerouslySetInnerHTML=${{ __html: assets.style.text }}></style>
    <script src=${assets.script.path} defer></script>
    ${jsonLd && html`<script type="application/ld+json" dangerouslySetInnerHTML=${dataBlock(jsonLd)}></script>`}
  </head>`;
}

/** What shared links show of a page without a picture; programs that show it read no SVG. */
const logoShared = (site: string, { logo }: PageAssets): SharedImage | undefined =>
  logo === null || logo.path.endsWith('.svg') ? undefined : { url: `${site}${logo.path}` };

/** JSON that cannot end its element. */
const dataBlock = (data: object) => ({ __html: JSON.stringify(data).replaceAll('<', '\\u003c') });

const menu = ({ words, thisMonth, takesSubmissions }: Surroundings, { current, filters = [] }: Content): Html => {
  const entry = (view: View | 'submit', path: string): Html =>
    html`<li><a href=${path} aria-current=${current === view ? 'page' : undefined}>${words(view)}</a></li>`;
  return html`<ul class="menu" id="menu" data-live>${VIEWS.map((view) => entry(view, pathOfView(view, thisMonth, filters)))}
    ${takesSubmissions && entry('submit', '/submit')}</ul>`;
};

function siteLinks({ words, theme }: Surroundings): Html | false {
  const { links, imprint } = theme;
  const all = [...links, ...(imprint === null ? [] : [{ label: words('imprint'), url: imprint }])];
  return (
    all.length > 0 &&
    html`<ul class="links">${all.map(({ label, url }) => html`<li><a href=${url}>${label}</a></li>`)}</ul>`
  );
}
