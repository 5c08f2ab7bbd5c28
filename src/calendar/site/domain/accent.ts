// The colour of links and buttons on the pages: which can be read, and what stands for one on dark backgrounds. Colours are
// written `#8a2f1c`.

/** As WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const partsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Contrast of two colours, as WCAG 2.2 defines it: from 1 (none) to 21 (black on white). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

export type Scheme = 'light' | 'dark';

/** Backgrounds of `site.css` on which texts have the accent's colour, or the other way round. */
export const BACKGROUNDS = {
  light: ['#fbfaf7', '#f3f0ea', '#ffffff'],
  dark: ['#14171b', '#242930', '#1c2026'],
} as const;
/** WCAG 2.2, level AA, for texts. */
export const MIN_CONTRAST = 4.5;

/** The contrast with that background of the scheme on which it is read worst. */
export const worstContrast = (scheme: Scheme, colour: string): number =>
  Math.min(...BACKGROUNDS[scheme].map((background) => contrast(colour, background)));

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

/** Whether texts in this colour can be read on light pages. */
export const isReadable = (colour: string): boolean =>
  isColour(colour) && worstContrast('light', colour) >= MIN_CONTRAST;

/** Mixed with black for light pages, with white for dark ones, by as little as makes it readable. */
export function readableLike(scheme: Scheme, colour: string): string {
  const end = scheme === 'light' ? 0 : 255;
  const mixed = (percent: number): string =>
    `#${partsOf(colour)
      .map((part) => Math.round(part + ((end - part) * percent) / 100))
      .map((part) => part.toString(16).padStart(2, '0'))
      .join('')}`;
  let percent = 0;
  while (percent < 100 && worstContrast(scheme, mixed(percent)) < MIN_CONTRAST) percent += 2;
  return mixed(percent);
}
