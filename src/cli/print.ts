export const printLine = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
