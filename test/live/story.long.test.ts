import { testStories } from './story.case.ts'

testStories(20)
