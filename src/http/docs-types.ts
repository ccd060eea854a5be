import type { SchemaView } from './docs-model.js';

/** Deeper than any schema of ours goes; a stop for one that refers to itself. */
const DEPTH_MAX = 12;
const INDENT = '  ';

const COMPONENT = /^#\/components\/schemas\//;

/** A schema as people write types: `{ amount: integer; name?: string }`, one member a line. */
export function notation(schema: SchemaView, depth = 0): string {
  if (depth > DEPTH_MAX) return '…';
  if (schema.$ref !== undefined) return schema.$ref.replace(COMPONENT, '');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((choice) => notation(choice, depth)).join(' | ');
  if (schema.allOf) return schema.allOf.map((part) => notation(part, depth)).join(' & ');
  const names = [schema.type ?? 'any'].flat();
  return names.map((name) => typeNotation(name, schema, depth)).join(' | ');
}

function typeNotation(name: string, schema: SchemaView, depth: number): string {
  if (name === 'object') return objectNotation(schema, depth);
  if (name === 'array') {
    const item = schema.items ? notation(schema.items, depth) : 'any';
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  return name;
}

function objectNotation({ properties = {}, required = [] }: SchemaView, depth: number): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const note = noteOf(schema);
    const comment = note === '' ? '' : `  // ${note}`;
    return `${INDENT.repeat(depth + 1)}${name}${mark}: ${notation(schema, depth + 1)}${comment}`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n${INDENT.repeat(depth)}}`;
}

/** The limits of a value, in a few words. */
export function noteOf(schema: SchemaView): string {
  return [
    schema.description,
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
  ]
    .filter((part) => part !== undefined)
    .join(', ');
}

function range(from: number | undefined, to: number | undefined, unit: string): string | undefined {
  const low = isLimit(from) ? from : undefined;
  const high = isLimit(to) ? to : undefined;
  if (low !== undefined && high !== undefined) return `${low} to ${high}${unit}`;
  if (low !== undefined) return `${low} or more${unit}`;
  return high === undefined ? undefined : `${high} or less${unit}`;
}

/** The ends of what a number can hold are no news. */
const isLimit = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;
