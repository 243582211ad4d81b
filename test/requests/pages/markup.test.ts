import { describe, expect, test } from '@jest/globals';
import { markup, revealIn, pageWords } from '#requests/pages/routes/frame';

const reveal = (text: string) => revealIn(pageWords('en'), text);

describe('a page template', () => {
  test.each([
    ['<script>alert(1)</script>', '&#60;script&#62;alert(1)&#60;/script&#62;'],
    ['" onmouseover="alert(1)', '&#34; onmouseover=&#34;alert(1)'],
    ["' autofocus onfocus='alert(1)", '&#39; autofocus onfocus=&#39;alert(1)'],
    ['&lt;b&gt;', '&#38;lt;b&#38;gt;'],
    ['</textarea><img src=x onerror=alert(1)>', '&#60;/textarea&#62;&#60;img src=x onerror=alert(1)&#62;'],
  ])('shows %j as text', (text, escaped) => {
    expect(markup`<p title="${text}">${text}</p>`.text).toBe(`<p title="${escaped}">${escaped}</p>`);
    expect(reveal(text).text).toBe(escaped);
  });

  test('takes markup, lists, numbers and nothing as they are', () => {
    expect(markup`${markup`<b>`}${['<', markup`<i>`]}${1}${null}`.text).toBe('<b>&#60;<i>1');
  });
});

describe('WB-06: characters that hide', () => {
  test.each([
    ['a\u202Eb', 'U+202E'],
    ['a\u200Bb', 'U+200B'],
    ['a\u2066b', 'U+2066'],
    ['a\u0000b', 'U+0000'],
    ['a\uFEFFb', 'U+FEFF'],
    ['a\u{E0041}b', 'U+E0041'],
    ['a\rb', 'U+000D'],
  ])('%j are shown by their number', (text, shown) => {
    expect(reveal(text).text).toBe(`a<span class="unseen">⟨${shown}⟩</span>b`);
  });

  test('do not include what text is made of', () => {
    const text = 'Grüße, Привет, 你好, שלום, 👩\u200D👩\u200D👧\nand more';
    expect(reveal(text).text).toBe(text);
  });
});
