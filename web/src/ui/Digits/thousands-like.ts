/** Could a reader take this number for one a thousand times as large? JSON writes "1.234" for what they write with a comma. */
export const isThousandsLike = (text: string, decimalSeparator: string): boolean =>
  decimalSeparator !== '.' && /^-?\d+\.\d{3}$/.test(text);
