import { expect, test } from '@jest/globals';
import { isThousandsLike } from '../../web/src/ui/Digits.tsx';

test.each(['1.234', '-12345.678', '0.125'])(
  '%s could be read as a thousand times as much where a comma divides',
  (text) => {
    expect(isThousandsLike(text, ',')).toBe(true);
    expect(isThousandsLike(text, '.')).toBe(false);
  },
);

test.each(['1.23', '1.2345', '1234', '1.234e5', ''])('%s is read as it is', (text) => {
  expect(isThousandsLike(text, ',')).toBe(false);
});
