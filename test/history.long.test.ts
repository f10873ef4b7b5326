import { testHistory } from './history.case.ts'

testHistory(
  [
    ['devnet', [1, 2, 40, 97, 150, 239, 240, 241, 263, 316, 350, 402, 403]],
    ['test-1', [1, 60, 157, 158]],
    ['test-2', [1, 77, 157]],
  ],
  [1, 50, 120, 180, 239, 240],
)
