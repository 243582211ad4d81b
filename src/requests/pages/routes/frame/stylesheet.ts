import { Markup } from './markup.ts';

/** The console's look in one small sheet: the same ink, the same accent, light and dark, from 360 px up. */
export const stylesheet = new Markup(`
:root {
  color-scheme: light dark;
  --page: #fafaf8; --raised: #ffffff; --sunken: #f2f2ee; --hover: #f0f3f1; --ink: #16191a; --ink-soft: #575f61;
  --line: #e3e4df; --line-strong: #8a9293; --accent: #0b5f63; --danger: #a5231a; --danger-wash: #fbecea;
  --warn: #7a4e00; --warn-wash: #fdf3dc;
  --mono: ui-monospace, 'SF Mono', SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #111416; --raised: #181c1f; --sunken: #0c0f10; --hover: #1f2529; --ink: #e8ebec; --ink-soft: #9ba6a9;
    --line: #272d31; --line-strong: #667176; --accent: #6fd0cf; --danger: #ff9c92; --danger-wash: #331c1a;
    --warn: #e9bd62; --warn-wash: #30260f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: anywhere;
  font: 0.9375rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial,
    'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif;
}
h1, h2, p, ul, dl, dd, pre, fieldset, legend { margin: 0; padding: 0; border: 0; }
header { border-bottom: 1px solid var(--line); background: var(--raised); }
header p, main { max-width: 42rem; margin: 0 auto; padding: 0.875rem clamp(1rem, 4vw, 2rem); }
header p { font-weight: 600; letter-spacing: -0.01em; }
main { padding-top: clamp(1.25rem, 4vw, 2.5rem); padding-bottom: 4rem; display: grid; gap: 1.5rem; }
h1 { font-size: clamp(1.25rem, 1.1rem + 1vw, 1.5rem); line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
h2 { font-size: 1.0625rem; line-height: 1.35; font-weight: 600; }
dl { display: grid; gap: 1.125rem; }
dt { color: var(--ink-soft); font-size: 0.8125rem; }
dd + dd { margin-top: 0.5rem; }
.read { font-size: 1.0625rem; white-space: pre-wrap; }
.soft, .rule { color: var(--ink-soft); font-size: 0.8125rem; }
.lines { white-space: pre-wrap; }
time, .tabular { font-variant-numeric: tabular-nums; }
code, pre, .code { font-family: var(--mono); font-size: 0.875rem; }
pre { padding: 0.75rem; background: var(--sunken); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; }
blockquote { margin: 0.5rem 0 0; padding-left: 0.75rem; border-left: 2px solid var(--line-strong); white-space: pre-wrap; }
.host { font-size: 1.25rem; font-weight: 600; overflow-wrap: anywhere; }
.host ~ .notice { margin-block: 0.25rem 0.75rem; }
.notice, .wrong { padding: 0.75rem 1rem; border-radius: 4px; border-left: 3px solid; }
.notice { background: var(--warn-wash); border-color: var(--warn); }
.wrong { background: var(--danger-wash); border-color: var(--danger); }
.wrong ul { padding-left: 1.25rem; }
.wrong a { color: inherit; }
.wrong li { padding: 0.25rem 0; }
.unseen { padding: 0 0.2em; border: 1px solid currentcolor; border-radius: 3px; font: 0.75em var(--mono); color: var(--danger); }
form { display: grid; gap: 1.5rem; }
.decide { padding-top: 1.5rem; border-top: 1px solid var(--line); }
.field { display: grid; gap: 0.375rem; }
.label { font-weight: 600; }
.label .soft { font-weight: 400; }
.error { color: var(--danger); font-size: 0.875rem; }
input:not([type='radio'], [type='checkbox']), select, textarea {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; font: inherit; color: inherit; background: var(--raised);
  border: 1px solid var(--line-strong); border-radius: 4px;
}
textarea { min-height: 6rem; resize: vertical; }
:is(input, select, textarea)[aria-invalid='true'] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
input.code { max-width: 12rem; font-size: 1.25rem; letter-spacing: 0.2em; }
.choice { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; cursor: pointer; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.actions { display: grid; gap: 0.75rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 11rem), 1fr)); }
.leaving { grid-template-columns: 1fr; overflow-wrap: anywhere; }
main :is(.actions, p) > :is(button, .button):only-child { max-width: 22rem; }
button, .button {
  display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; color: var(--accent);
  background: var(--raised); border: 1px solid var(--accent); border-radius: 4px;
}
button:hover, .button:hover { background: var(--hover); }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`);
