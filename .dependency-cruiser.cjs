/** The walls of the house. Each room may use the rooms named beside it, always through their front door, index.ts. */
const mayUse = {
  accounts: [],
  catalog: [],
  'waiting-room': ['catalog', 'accounts'],
  wallet: ['accounts'],
  reservations: ['catalog', 'waiting-room', 'accounts'],
  payments: ['reservations', 'wallet', 'waiting-room', 'catalog', 'accounts'],
  operator: ['accounts', 'catalog', 'waiting-room', 'wallet', 'reservations', 'payments'],
};
const anyRoom = `(?:${Object.keys(mayUse).join('|')})`;

const roomsLookDown = Object.entries(mayUse).map(([room, below]) => ({
  name: `${room}-looks-down`,
  comment: `${room} uses kernel, platform and ${below.join(', ') || 'no other room'}; never http, compose, config, main or cli.`,
  severity: 'error',
  from: { path: `^src/${room}/` },
  to: { path: '^src/', pathNot: `^src/(?:${['kernel', 'platform', room, ...below].join('|')})/` },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      comment: 'An import that leads nowhere passes every other rule unseen.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-packages-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: '^node_modules/@types/' },
    },
    {
      name: 'no-tests-in-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(?:test|bench|prove)/' },
    },
    {
      name: 'measured-from-outside',
      comment:
        'The benchmark and the prover know Foyer as its users do; only pgbench borrows the statements, to send the same ones.',
      severity: 'error',
      from: { path: '^(?:bench|prove)/', pathNot: '^bench/pgbench/' },
      to: { path: '^src/' },
    },
    {
      name: 'pages-and-server-meet-over-http',
      comment: 'What the pages know of the server is in openapi.json.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(?:src|test)/' },
    },
    {
      name: 'server-knows-no-page',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'the-operator-comes-on-its-own',
      comment: "A fan's browser does not load the operator's part: main.tsx asks for it when it is wanted.",
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/operator/' },
      to: { path: '^web/src/operator/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'every-folder-has-its-walls',
      comment: 'A new folder of src/ is given its place in this file first.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(?:kernel|platform|http|cli|seed|${anyRoom})/` },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'kernel/ knows itself and what Node.js brings along.',
      severity: 'error',
      from: { path: '^src/kernel/' },
      to: { pathNot: '^src/kernel/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'platform-knows-no-domain',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: '^src/(?:kernel|platform)/' },
    },
    {
      name: 'seeding-is-for-the-start',
      comment: 'seed/ fills a composed Foyer; only the start and the command line use it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:seed/|cli/|serve\\.ts$)' },
      to: { path: '^src/seed/' },
    },
    ...roomsLookDown,
    {
      name: 'through-the-front-door',
      comment: 'A room, or a folder of platform/, is entered through its index.ts only.',
      severity: 'error',
      from: { path: '^(src/(?:platform/)?[^/]+)' },
      to: {
        path: `^src/(?:${anyRoom}|platform)/`,
        pathNot: ['^$1/', `^src/${anyRoom}/index\\.ts$`, '^src/platform/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'databases-in-their-adapters-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/sql/' },
      to: { path: '^node_modules/(?:@types/)?(?:better-sqlite3|pg)/' },
    },
    {
      name: 'fastify-at-the-edges-only',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/platform/(?:web|sse)/', '^src/http/', '[/-]routes\\.ts$', '/streams\\.ts$'],
      },
      to: { path: '^node_modules/(?:fastify|@fastify/[^/]+)/' },
    },
  ],
  options: {
    doNotFollow: { path: '^node_modules/' },
    // Types count: a wall that a type may cross is a wall with a hole.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
