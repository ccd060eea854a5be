export const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
