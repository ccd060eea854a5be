import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** A JSON schema as the reference shows it; what it does not know, it leaves out. */
export interface SchemaView {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaView>>;
  readonly required?: readonly string[];
  readonly items?: SchemaView;
  readonly anyOf?: readonly SchemaView[];
  readonly allOf?: readonly SchemaView[];
  readonly description?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const Text = Type.Optional(Type.String());
const Media = Type.Record(Type.String(), Type.Object({ schema: Type.Unsafe<SchemaView>(Type.Unknown()) }));

const Parameter = Type.Object({
  in: Type.String(),
  name: Type.String(),
  required: Type.Optional(Type.Boolean()),
  description: Text,
  schema: Type.Unsafe<SchemaView>(Type.Unknown()),
});

const Operation = Type.Object({
  operationId: Type.String(),
  summary: Text,
  description: Text,
  tags: Type.Optional(Type.Array(Type.String())),
  security: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  parameters: Type.Optional(Type.Array(Parameter)),
  requestBody: Type.Optional(Type.Object({ content: Media })),
  responses: Type.Record(
    Type.String(),
    Type.Object({ description: Type.String(), content: Type.Optional(Media) }),
  ),
});

const Document = Type.Object({
  info: Type.Object({ title: Type.String(), version: Type.String(), description: Text }),
  components: Type.Object({
    securitySchemes: Type.Record(Type.String(), Type.Object({ description: Type.String() })),
  }),
  paths: Type.Record(Type.String(), Type.Record(Type.String(), Operation)),
});

export type OperationView = Static<typeof Operation> & { readonly method: string; readonly path: string };
export type DocumentView = Static<typeof Document>;

const UNTAGGED = 'Other';

export function readDocument(document: unknown): DocumentView {
  return checked(Document, document);
}

function checked<T extends TSchema>(schema: T, value: unknown): Static<T> {
  if (Value.Check(schema, value)) return value;
  throw new TypeError('the API description is not one that the reference can show');
}

/** The operations by tag, in the order in which the routes were added. */
export function groupsOf({ paths }: DocumentView): ReadonlyMap<string, readonly OperationView[]> {
  const groups = new Map<string, OperationView[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? UNTAGGED;
      const group = groups.get(tag) ?? [];
      groups.set(tag, group);
      group.push({ ...operation, method: method.toUpperCase(), path });
    }
  }
  return groups;
}
