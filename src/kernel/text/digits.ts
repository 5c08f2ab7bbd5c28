// Digits of other scripts.

/** The text with `٥` and `५` as `5`. Unicode has the ten digits of a script in a row, from zero. */
export const withLatinDigits = (text: string): string =>
  text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    const at = digit.codePointAt(0) ?? 0;
    let first = at;
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
    return String((at - first) % 10);
  });
