/** Which modules a module may import, always through their front door, index.ts. */
const mayImport = {
  audit: [],
  mail: [],
  accounts: ['audit', 'mail'],
  seating: [],
  catalog: ['seating'],
  'waiting-room': ['catalog'],
  wallet: [],
  reservations: ['seating', 'catalog', 'waiting-room'],
  payments: ['reservations', 'wallet', 'waiting-room', 'catalog'],
  'personal-data': ['audit', 'mail', 'accounts', 'waiting-room', 'reservations', 'wallet', 'payments'],
  operator: ['seating', 'catalog', 'waiting-room', 'reservations', 'payments', 'audit'],
};
const anyModule = `(?:${Object.keys(mayImport).join('|')})`;

const modulesImportDownwards = Object.entries(mayImport).map(([module, below]) => ({
  name: `${module}-imports-downwards`,
  comment: `${module} imports kernel, platform and ${below.join(', ') || 'no other module'}; never http, compose, config, main or cli.`,
  severity: 'error',
  from: { path: `^src/${module}/` },
  to: { path: '^src/', pathNot: `^src/(?:${['kernel', 'platform', module, ...below].join('|')})/` },
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
      comment: 'The other rules cannot judge an import that does not resolve.',
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
      name: 'bench-and-prove-use-http-only',
      comment:
        'The benchmark and the prover use Foyer as a client does; only bench/pgbench imports its SQL, to send the same statements.',
      severity: 'error',
      from: { path: '^(?:bench|prove)/', pathNot: '^bench/pgbench/' },
      to: { path: '^src/' },
    },
    {
      name: 'pages-use-http-only',
      comment: 'The pages know the server through openapi.json.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(?:src|test)/' },
    },
    {
      name: 'server-imports-no-page',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^web/' },
    },
    {
      name: 'operator-pages-load-on-demand',
      comment: "A fan's browser does not load the operator pages: main.tsx imports them dynamically.",
      severity: 'error',
      from: { path: '^web/src/', pathNot: '^web/src/operator/' },
      to: { path: '^web/src/operator/', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'every-folder-is-listed',
      comment: 'Add a new folder of src/ to this file first.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/(?:kernel|platform|http|cli|seed|${anyModule})/` },
    },
    {
      name: 'kernel-imports-nothing',
      comment: 'kernel/ imports only itself and Node.js modules.',
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
      name: 'seed-is-for-start-up',
      comment: 'Only the start and the command line import seed/.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:seed/|cli/|serve\\.ts$)' },
      to: { path: '^src/seed/' },
    },
    ...modulesImportDownwards,
    {
      name: 'front-doors-only',
      comment: 'A module, or a folder of platform/, is imported through its index.ts only.',
      severity: 'error',
      from: { path: '^(src/(?:platform/)?[^/]+)' },
      to: {
        path: `^src/(?:${anyModule}|platform)/`,
        pathNot: ['^$1/', `^src/${anyModule}/index\\.ts$`, '^src/platform/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'databases-in-their-adapters-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/platform/sql/' },
      to: { path: '^node_modules/(?:@types/)?(?:better-sqlite3|pg)/' },
    },
    {
      name: 'nodemailer-in-mail-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/mail/smtp\\.ts$' },
      to: { path: '^node_modules/nodemailer/' },
    },
    {
      name: 'argon2-in-accounts-only',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/accounts/passwords\\.ts$' },
      to: { path: '^node_modules/@node-rs/argon2/' },
    },
    {
      name: 'fastify-at-the-edges-only',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/platform/(?:web|sse)/', '^src/http/', '[/-]routes\\.ts$'],
      },
      to: { path: '^node_modules/(?:fastify|@fastify/[^/]+)/' },
    },
  ],
  options: {
    doNotFollow: { path: '^node_modules/' },
    // Type imports count, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
