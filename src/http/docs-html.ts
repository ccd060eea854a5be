import { type DocumentView, groupsOf, type OperationView, type SchemaView } from './docs-model.js';
import { DOCS_STYLE } from './docs-style.js';
import { Html, html } from './html.js';
import { noteOf, notation } from './docs-types.js';

/** As one piece: its hash is in the page's policy, so not a space may be added to it. */
const STYLE = new Html(`<style>${DOCS_STYLE}</style>`);
const NOTHING = html``;

/** Words in backticks become code. */
const prose = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));

const CREDENTIALS: Readonly<Record<string, string>> = {
  accessToken: 'access token',
  queueToken: 'queue token',
};

function credentialOf({ security = [] }: OperationView): string {
  const names = security.flatMap(Object.keys).map((name) => CREDENTIALS[name] ?? name);
  return names.length === 0 ? 'public' : names.join(' or ');
}

function parametersOf({ parameters = [] }: OperationView): Html {
  if (parameters.length === 0) return NOTHING;
  const rows = parameters.map(
    ({ in: place, name, required, description, schema }) =>
      html` <tr>
        <th scope="row"><code>${name}</code></th>
        <td>${place}${required === true ? '' : ', optional'}</td>
        <td><code>${notation(schema)}</code></td>
        <td>
          ${prose([description, noteOf(schema)].filter((note) => note !== undefined && note !== '').join('; '))}
        </td>
      </tr>`,
  );
  return html`<h4>Parameters</h4>
    <div class="wide">
      <table>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">In</th>
          <th scope="col">Type</th>
          <th scope="col">Notes</th>
        </tr>
        ${rows}
      </table>
    </div>`;
}

const typeBlock = (schema: SchemaView): Html => html`<pre><code>${notation(schema)}</code></pre>`;

function bodyOf({ requestBody }: OperationView): Html {
  const blocks = Object.values(requestBody?.content ?? {}).map(({ schema }) => typeBlock(schema));
  return blocks.length === 0
    ? NOTHING
    : html`<h4>Body</h4>
        ${blocks}`;
}

const isProblem = (content: object | undefined): boolean =>
  Object.hasOwn(content ?? {}, 'application/problem+json');

function answersOf({ responses }: OperationView): Html {
  const answers = Object.entries(responses).filter(([, { content }]) => !isProblem(content));
  return html`<h4>Answers</h4>
    ${answers.map(([status, { description, content = {} }]) => {
      const blocks = Object.entries(content).map(([type, { schema }]) => {
        const note = type === 'application/json' ? NOTHING : html` <code>${type}</code>`;
        return html`${note}${typeBlock(schema)}`;
      });
      return html`<p><b class="status">${status}</b> ${description}</p>
        ${blocks}`;
    })}`;
}

const codesOf = (schema: SchemaView): string[] =>
  (schema.allOf ?? []).flatMap(({ properties }) => properties?.['code']?.enum ?? []).map(String);

function refusalsOf({ responses }: OperationView): Html {
  const rows = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    isProblem(content)
      ? Object.values(content).flatMap(({ schema }) =>
          codesOf(schema).map(
            (code) => html`<li><b class="status no">${status}</b> <code>${code}</code></li>`,
          ),
        )
      : [],
  );
  return rows.length === 0
    ? NOTHING
    : html`<h4>Refusals</h4>
        <ul class="refusals">
          ${rows}
        </ul>`;
}

const operationHtml = (operation: OperationView): Html =>
  html` <details id="${operation.operationId}">
    <summary>
      <b class="method ${operation.method.toLowerCase()}">${operation.method}</b>
      <code class="path">${operation.path}</code>
      <span class="what">${prose(operation.summary ?? '')}</span>
      <span class="who">${credentialOf(operation)}</span>
    </summary>
    <div class="operation">
      ${operation.description === undefined ? NOTHING : html`<p>${prose(operation.description)}</p>`}
      ${parametersOf(operation)} ${bodyOf(operation)} ${answersOf(operation)} ${refusalsOf(operation)}
    </div>
  </details>`;

const sectionId = (tag: string): string => `tag-${tag.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;

/** The whole reference as one page without scripts. */
export function renderDocs(document: DocumentView): string {
  const { info, components } = document;
  const groups = [...groupsOf(document)];
  const schemes = Object.entries(components.securitySchemes).map(
    ([name, { description }]) =>
      html`<dt>${CREDENTIALS[name] ?? name}</dt>
        <dd>${description}</dd>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} API ${info.version}</title>
        ${STYLE}
      </head>
      <body>
        <header>
          <h1>${info.title} <small>API ${info.version}</small></h1>
          <p>${info.description ?? ''}</p>
          <p><a href="/openapi.json">openapi.json</a></p>
        </header>
        <nav aria-label="Sections">
          ${groups.map(([tag]) => html`<a href="#${sectionId(tag)}">${tag}</a>`)}
        </nav>
        <main>
          <section>
            <h2>Credentials</h2>
            <p>Send one as <code>Authorization: Bearer &lt;token&gt;</code>.</p>
            <dl>${schemes}</dl>
          </section>
          ${groups.map(
            ([tag, operations]) =>
              html`<section id="${sectionId(tag)}">
                <h2>${tag}</h2>
                ${operations.map(operationHtml)}
              </section>`,
          )}
        </main>
      </body>
    </html> `.text;
}
