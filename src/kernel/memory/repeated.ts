// What is worth keeping: of a large calendar most is asked for once, and kept it would drive out what is asked for again and again.

/** So many different things are remembered, the last ones. */
const PLACES = 16_384;

/** Tells of a number whether it was told lately. Each has one place, which the next that belongs there takes over. */
export function openRepeated(places = PLACES): (number: number) => boolean {
  const lately = new Uint32Array(places);
  return (number) => {
    const place = number % places;
    if (lately[place] === number) return true;
    lately[place] = number;
    return false;
  };
}
