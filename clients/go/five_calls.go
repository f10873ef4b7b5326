// Five calls with a client that oapi-codegen made: go run . [BASE_URL]
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.org/five-calls/astrolabe"
)

func main() {
	base := "http://127.0.0.1:9876"
	if len(os.Args) > 1 {
		base = os.Args[1]
	}
	client, err := astrolabe.NewClientWithResponses(base)
	must(err)
	ctx := context.Background()
	three, one := int32(3), int32(1)

	head, err := client.GetHeadWithResponse(ctx)
	must(err)
	fmt.Println("head", head.JSON200.ChainId, head.JSON200.LastHeight)

	blocks, err := client.ListBlocksWithResponse(ctx, &astrolabe.ListBlocksParams{Limit: &three})
	must(err)
	fmt.Print("blocks")
	for _, block := range *blocks.JSON200 {
		fmt.Print(" ", block.Height)
	}
	fmt.Println()

	block, err := client.GetBlockWithResponse(ctx, 7, nil)
	must(err)
	fmt.Println("block", block.JSON200.Height, block.JSON200.Hash)

	blobs, err := client.ListBlobsWithResponse(ctx, &astrolabe.ListBlobsParams{Limit: &one})
	must(err)
	fmt.Println("blob", (*blobs.JSON200)[0].Id, (*blobs.JSON200)[0].Size)

	gas, err := client.GetGasPriceWithResponse(ctx)
	must(err)
	fmt.Println("gas", gas.JSON200.Median)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
