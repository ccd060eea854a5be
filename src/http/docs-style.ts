/** The one style of the reference, in the page itself; its hash is in the page's policy. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #fbfaf8; --raised: #ffffff; --ink: #1d1b22; --quiet: #63606b; --line: #e4e0da;
  --accent: #7a1f3d; --get: #1c6b4a; --post: #7a4a00; --patch: #4b3a9b; --delete: #a1212b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131217; --raised: #1b1a21; --ink: #ece9f1; --quiet: #a19caa; --line: #322f3a;
    --accent: #f08aa9; --get: #6fd3a5; --post: #f0b45c; --patch: #b3a4ff; --delete: #ff8b91;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
header, main { max-width: 62rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
h1 { margin: 0; font-size: 2.25rem; letter-spacing: -0.02em; color: var(--accent); }
h1 small { font-size: 1rem; font-weight: 400; color: var(--quiet); letter-spacing: 0; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.25rem; }
h4 { margin: 1.25rem 0 0.25rem; font-size: 0.75rem; letter-spacing: 0.08em; text-transform: uppercase; color: var(--quiet); }
a { color: var(--accent); }
nav { position: sticky; top: 0; z-index: 1; background: var(--ground); border-bottom: 1px solid var(--line); overflow-x: auto;
  white-space: nowrap; padding: 0.75rem max(1.25rem, calc((100vw - 62rem) / 2 + 1.25rem)); }
nav a { margin-right: 1.25rem; text-decoration: none; font-weight: 600; }
nav a:hover, nav a:focus-visible { text-decoration: underline; }
main { padding-bottom: 5rem; }
code, pre { font: 0.875rem/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
pre { margin: 0.25rem 0; padding: 0.75rem 1rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line);
  border-radius: 0.4rem; }
details { margin: 0.5rem 0; background: var(--raised); border: 1px solid var(--line); border-radius: 0.6rem; }
details:target { border-color: var(--accent); }
summary { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: baseline; padding: 0.7rem 1rem; cursor: pointer;
  list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.6rem; }
.operation { padding: 0 1rem 1rem; border-top: 1px solid var(--line); }
.method { min-width: 4.2rem; font-size: 0.8rem; letter-spacing: 0.05em; }
.get { color: var(--get); } .post { color: var(--post); } .patch, .put { color: var(--patch); } .delete { color: var(--delete); }
.path { font-weight: 600; overflow-wrap: anywhere; }
.what { color: var(--quiet); flex: 1 1 14rem; }
.who { font-size: 0.8rem; color: var(--quiet); border: 1px solid var(--line); border-radius: 1rem; padding: 0 0.6rem; }
.status { display: inline-block; min-width: 2.6rem; color: var(--get); }
.status.no { color: var(--delete); }
.refusals { columns: 18rem; margin: 0; padding: 0; list-style: none; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 1rem 0.35rem 0; border-bottom: 1px solid var(--line); }
dt { font-weight: 600; } dd { margin: 0 0 0.5rem; color: var(--quiet); }
`;
