/** Contents of the fenced blocks of a document whose first line is ```` ```<words> ````. */
export function blocksOf(text: string, words: string): string[] {
  return allBlocks(text)
    .filter((block) => block.words === words)
    .map((block) => block.content)
}

export type Block = { words: string; content: string; line: number }

export function allBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const [i, line] of text.split('\n').entries()) {
    if (!line.startsWith('```')) {
      if (open) open.content += `${line}\n`
    } else if (open) {
      blocks.push(open)
      open = undefined
    } else open = { words: line.slice(3).trim(), content: '', line: i + 1 }
  }
  return blocks
}
