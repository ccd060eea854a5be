import { defineConfig } from 'eslint/config';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** The options of the strict preset, except that numbers are allowed. */
const templateExpressionOptions = {
  allowAny: false,
  allowBoolean: false,
  allowNever: false,
  allowNullish: false,
  allowNumber: true,
  allowRegExp: false,
};
const noSkippedTests = 'A test that does not run proves nothing: fix it or delete it.';

export default defineConfig(
  { ignores: ['dist/', 'dist.*/', 'data/', 'coverage/', 'test-results/', 'web/src/api/generated/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  tseslint.configs.strictTypeChecked,
  tseslint.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // Files that no tsconfig.json includes.
        projectService: { allowDefaultProject: ['*.js', '.*.cjs', 'scripts/*.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      // `const { secret: _, ...visible } = row` omits a field.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', templateExpressionOptions],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Foyer passes closures, which do not use `this`.
      '@typescript-eslint/unbound-method': 'off',
      complexity: ['error', 20],
      eqeqeq: 'error',
      'max-lines': ['error', 400],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'max-lines-per-function': ['error', 100],
      'no-console': 'error',
    },
  },
  {
    // The routes of a module are one table, which grows with the number of calls.
    files: ['src/**/*routes.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  {
    files: ['src/**'],
    ignores: ['src/open-store.ts', 'src/cli.ts', 'src/cli/**', 'src/platform/sql/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/platform/sql/index.js'],
              importNamePattern: '^(open|migrate|take)[A-Z]',
              message: 'Only open-store.ts picks adapters; ask for the port.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['web/src/**'],
    extends: [reactHooks.configs.flat.recommended],
    rules: {
      'max-lines-per-function': ['error', 120],
      'no-console': 'error',
      // Allows `onClick={() => save()}`: JSX ignores the returned value.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // A test reads responses whose shape it is about to check.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { ...templateExpressionOptions, allowAny: true },
      ],
      'no-restricted-properties': [
        'error',
        { property: 'only', message: noSkippedTests },
        { property: 'skip', message: noSkippedTests },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'CallExpression[callee.name=/^(it|test|describe)$/] > ObjectExpression > Property[key.name=/^(only|skip)$/]',
          message: noSkippedTests,
        },
      ],
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    // This rule ignores JSDoc casts, and JavaScript has no others.
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
);
