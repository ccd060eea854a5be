/**
 * The API reference at /docs: Swagger UI, which shows /openapi.json. The server gives this page its own
 * Content-Security-Policy (src/http/pages/pages.ts).
 */
import '@fastify/swagger-ui/static/swagger-ui.css';
import './docs.css';
// The published file, unchanged: it is a UMD script and cannot be imported as a module.
import swaggerUiUrl from '@fastify/swagger-ui/static/swagger-ui-bundle.js?url';

/** The parts of Swagger UI's Immutable.js collections that the search uses. */
interface OperationList {
  readonly size: number;
  filter(test: (operation: unknown) => boolean): OperationList;
}
interface Tag {
  get(key: 'operations'): OperationList;
  update(key: 'operations', change: (operations: OperationList) => OperationList): Tag;
}
interface TagMap {
  map(change: (tag: Tag) => Tag): TagMap;
  filter(test: (tag: Tag) => boolean): TagMap;
}

declare const SwaggerUIBundle: (options: object) => unknown;

/** Replaces the built-in filter, which looks at tag names only. */
const searchPlugin = {
  fn: {
    opsFilter(tags: TagMap, phrase: string): TagMap {
      const wanted = phrase.toLowerCase();
      const matches = (operation: unknown): boolean =>
        JSON.stringify(operation).toLowerCase().includes(wanted);
      return tags
        .map((tag) => tag.update('operations', (operations) => operations.filter(matches)))
        .filter((tag) => tag.get('operations').size > 0);
    },
  },
};

/** Swagger UI's own placeholder says "Filter by tag". */
function labelSearchBox(): void {
  const box = document.querySelector('.operation-filter-input');
  for (const name of ['placeholder', 'aria-label'])
    box?.setAttribute(name, 'Search paths, fields and error codes');
}

function showReference(): void {
  SwaggerUIBundle({
    dom_id: '#swagger-ui',
    url: '/openapi.json',
    plugins: [searchPlugin],
    filter: true,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    // The default is a service on the internet that would be sent this server's address.
    validatorUrl: null,
    onComplete: labelSearchBox,
  });
}

const script = document.createElement('script');
script.src = swaggerUiUrl;
script.addEventListener('load', showReference);
document.head.append(script);
